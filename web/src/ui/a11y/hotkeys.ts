/** Whether a key press is meant for something else: a form field, an open dialog, the browser. */
export function ignoresHotkeys(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey) return true;
  return (
    /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName) ||
    document.querySelector("dialog[open]") !== null
  );
}
