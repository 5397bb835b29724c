/** Links to pages, where any host may serve the files: an address "/rules#3.4" is written "#/rules#3.4". */

const inside = (path: string | null): path is string => path !== null && path.startsWith("/");

function turn(link: Element): void {
  const path = link.getAttribute("href");
  if (inside(path)) link.setAttribute("href", `#${path}`);
}

/** Turn every link there is and will be. */
export function turnLinks(): void {
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "attributes") turn(change.target as Element);
      for (const node of change.addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches("a[href]")) turn(node);
        node.querySelectorAll("a[href]").forEach(turn);
      }
    }
  }).observe(document.documentElement, { subtree: true, childList: true, attributes: true, attributeFilter: ["href"] });
  document.querySelectorAll("a[href]").forEach(turn);
}
