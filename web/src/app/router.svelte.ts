/** Which page the address means; going from page to page without loading anew. */

import { alone } from "../api/transport";

interface Route {
  page: string;
  id: string;
  hash: string;
  /** what stands behind the question mark */
  query: string;
}

/** Give an address of this site as it stands in the browser: without a server everything comes after a #. */
const written = (path: string): string => (alone ? `#${path}` : path);

function read(): Route {
  const path = alone ? location.hash.slice(1) : location.pathname + location.search + location.hash;
  const [, before = "", query = "", hash = ""] = /^([^?#]*)\??([^#]*)#?(.*)$/s.exec(path) ?? [];
  const [, page = "", id = ""] = before.split("/");
  return { page, id, hash, query };
}

export const route: Route = $state(read());

addEventListener("popstate", () => Object.assign(route, read()));

/** Go to another page of this site. */
export function go(path: string): void {
  history.pushState(null, "", written(path));
  Object.assign(route, read());
  scrollTo(0, 0);
}

/** Write another address for what is already shown, so that it can be shared. */
export function rename(path: string): void {
  mark(path);
  Object.assign(route, read());
}

/** Note in the address how far somebody is; nothing that is shown goes by it. */
export function mark(path: string): void {
  history.replaceState(null, "", written(path));
}

/** Give the whole address of a page, to be sent to somebody. */
export const linkTo = (path: string): string => (alone ? location.href.split("#")[0] : location.origin) + written(path);

/** Let a link lead to another page without loading anew. */
export function follow(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const path = (event.currentTarget as HTMLAnchorElement).getAttribute("href");
  if (!path) return;
  event.preventDefault();
  go(alone && path.startsWith("#") ? path.slice(1) : path);
}
