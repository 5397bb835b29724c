/** Rewrites internal links for static hosts: "/rules#3.4" becomes "#/rules#3.4". */

const isInternal = (path: string | null): path is string => path !== null && path.startsWith("/");

function rewriteLink(link: Element): void {
  const path = link.getAttribute("href");
  if (isInternal(path)) link.setAttribute("href", `#${path}`);
}

/** Rewrite all current and future links. */
export function rewriteLinks(): void {
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "attributes") rewriteLink(change.target as Element);
      for (const node of change.addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches("a[href]")) rewriteLink(node);
        node.querySelectorAll("a[href]").forEach(rewriteLink);
      }
    }
  }).observe(document.documentElement, { subtree: true, childList: true, attributes: true, attributeFilter: ["href"] });
  document.querySelectorAll("a[href]").forEach(rewriteLink);
}
