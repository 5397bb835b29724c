/** Values in the browser's local storage. */

/** Return the value stored under a key, or `fallback`. */
export function loadLocal<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`dicemasters ${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback; // storage disabled, or written by other code
  }
}

/** Store a value on this device. */
export function saveLocal(key: string, value: unknown): void {
  try {
    localStorage.setItem(`dicemasters ${key}`, JSON.stringify(value));
  } catch {
    // storage disabled or full: the link still holds the seat
  }
}
