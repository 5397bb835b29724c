/**
 * Emblems rendered once and cloned: a board shows about a hundred of them, and cloning is far cheaper than rendering.
 */

import { FRAMES, emblemOf, type EmblemSource } from "./emblem";

const emblemCache = new Map<string, DocumentFragment>();

/** Return a new copy of the content of an emblem's `svg`. */
export function emblemNode(card: EmblemSource): Node {
  const key = `${card.title} ${card.die.key} ${card.kind} ${card.affiliations.join()}`;
  const known = emblemCache.get(key) ?? renderEmblem(card);
  emblemCache.set(key, known);
  return known.cloneNode(true);
}

function renderEmblem(card: EmblemSource): DocumentFragment {
  const { frame, division, charge, middle } = emblemOf(card);
  const framed = card.kind !== "sidekick";
  const all = document.createDocumentFragment();
  if (framed) all.append(element("path", { d: FRAMES[frame], fill: "var(--k)" }));
  if (framed && division) {
    const clipped = element("g", { "clip-path": `url(#clip-${frame})` });
    clipped.append(element("path", { d: division, fill: "var(--kd)", "fill-rule": "evenodd" }));
    all.append(clipped);
  }
  const sign = element("g", framed ? { transform: `translate(12 ${middle}) scale(.66) translate(-12 -12)` } : {});
  for (const part of charge)
    sign.append(
      typeof part === "string"
        ? element("path", { d: part, fill: framed ? "var(--b)" : "var(--k)", "fill-rule": "evenodd" })
        : element("path", {
            d: part[0],
            fill: "none",
            stroke: "var(--b)",
            "stroke-width": String(part[1]),
            "stroke-linecap": "round",
            "stroke-linejoin": "round",
          }),
    );
  all.append(sign);
  return all;
}

function element(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
