/** The current page, parsed from the URL, and navigation without reloading. */

import { isOffline } from "../api/transport";

interface Route {
  page: string;
  id: string;
  hash: string;
  /** the part after the question mark */
  query: string;
}

/** Return the href of a path on this site. Without a server the whole path goes into the fragment. */
const toHref = (path: string): string => (isOffline ? `#${path}` : path);

function parseLocation(): Route {
  const path = isOffline ? location.hash.slice(1) : location.pathname + location.search + location.hash;
  const [, pathname = "", query = "", hash = ""] = /^([^?#]*)\??([^#]*)#?(.*)$/s.exec(path) ?? [];
  const [, page = "", id = ""] = pathname.split("/");
  return { page, id, hash, query };
}

export const route: Route = $state(parseLocation());

addEventListener("popstate", () => Object.assign(route, parseLocation()));

/** Navigate to another page of this site. */
export function navigate(path: string): void {
  history.pushState(null, "", toHref(path));
  Object.assign(route, parseLocation());
  scrollTo(0, 0);
}

/** Replace the URL of what is already shown, so that it can be shared. */
export function replacePath(path: string): void {
  replaceHash(path);
  Object.assign(route, parseLocation());
}

/** Replace the URL without updating `route`, to record progress that does not affect what is shown. */
export function replaceHash(path: string): void {
  history.replaceState(null, "", toHref(path));
}

/** Return the absolute URL of a page, for sharing. */
export const absoluteUrl = (path: string): string =>
  (isOffline ? location.href.split("#")[0] : location.origin) + toHref(path);

/** Handle a click on an internal link without reloading the page. */
export function followLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const path = (event.currentTarget as HTMLAnchorElement).getAttribute("href");
  if (!path) return;
  event.preventDefault();
  navigate(isOffline && path.startsWith("#") ? path.slice(1) : path);
}
