/** What this browser keeps in its local storage. */

/** Give what this device has kept under a name. */
export function loadLocal<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`dicemasters ${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback; // storage switched off, or written by something else
  }
}

/** Keep something on this device. */
export function saveLocal(key: string, value: unknown): void {
  try {
    localStorage.setItem(`dicemasters ${key}`, JSON.stringify(value));
  } catch {
    // storage switched off or full: the link still holds the seat
  }
}
