/** Which page the address means; going from page to page without loading anew. */

import { isOffline } from "../api/transport";

interface Route {
  page: string;
  id: string;
  hash: string;
  /** what stands behind the question mark */
  query: string;
}

/** Give an address of this site as it stands in the browser: without a server everything comes after a #. */
const toHref = (path: string): string => (isOffline ? `#${path}` : path);

function parseLocation(): Route {
  const path = isOffline ? location.hash.slice(1) : location.pathname + location.search + location.hash;
  const [, pathname = "", query = "", hash = ""] = /^([^?#]*)\??([^#]*)#?(.*)$/s.exec(path) ?? [];
  const [, page = "", id = ""] = pathname.split("/");
  return { page, id, hash, query };
}

export const route: Route = $state(parseLocation());

addEventListener("popstate", () => Object.assign(route, parseLocation()));

/** Go to another page of this site. */
export function navigate(path: string): void {
  history.pushState(null, "", toHref(path));
  Object.assign(route, parseLocation());
  scrollTo(0, 0);
}

/** Write another address for what is already shown, so that it can be shared. */
export function replacePath(path: string): void {
  replaceHash(path);
  Object.assign(route, parseLocation());
}

/** Note in the address how far somebody is; nothing that is shown goes by it. */
export function replaceHash(path: string): void {
  history.replaceState(null, "", toHref(path));
}

/** Give the whole address of a page, to be sent to somebody. */
export const absoluteUrl = (path: string): string =>
  (isOffline ? location.href.split("#")[0] : location.origin) + toHref(path);

/** Let a link lead to another page without loading anew. */
export function followLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const path = (event.currentTarget as HTMLAnchorElement).getAttribute("href");
  if (!path) return;
  event.preventDefault();
  navigate(isOffline && path.startsWith("#") ? path.slice(1) : path);
}
