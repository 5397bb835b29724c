/** What this browser keeps in its local storage. */

/** Give what this device has kept under a name. */
export function kept<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`dicemasters ${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise; // storage switched off, or written by something else
  }
}

/** Keep something on this device. */
export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(`dicemasters ${key}`, JSON.stringify(value));
  } catch {
    // storage switched off or full: the link still holds the seat
  }
}
