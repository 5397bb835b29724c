/** Which page the address means; going from page to page without loading anew. */

interface Route {
  page: string;
  id: string;
  hash: string;
  /** what stands behind the question mark */
  query: string;
}

function read(): Route {
  const [, page = "", id = ""] = location.pathname.split("/");
  return { page, id, hash: location.hash.slice(1), query: location.search.slice(1) };
}

export const route: Route = $state(read());

addEventListener("popstate", () => Object.assign(route, read()));

/** Go to another page of this site. */
export function go(path: string): void {
  history.pushState(null, "", path);
  Object.assign(route, read());
  scrollTo(0, 0);
}

/** Write another address for what is already shown, so that it can be shared. */
export function rename(path: string): void {
  history.replaceState(null, "", path);
  Object.assign(route, read());
}

/** Let a link lead to another page without loading anew. */
export function follow(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const path = (event.currentTarget as HTMLAnchorElement).getAttribute("href");
  if (!path) return;
  event.preventDefault();
  go(path);
}
