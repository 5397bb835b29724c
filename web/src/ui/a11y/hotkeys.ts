/** Tell whether a key is meant for something else: a field, an open box, the browser. */
export function ignoresHotkeys(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey) return true;
  return (
    /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName) ||
    document.querySelector("dialog[open]") !== null
  );
}
