/** Every text that users can read is in src/i18n; no other file may contain one. */

import { parse, type AST } from "svelte/compiler";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const SOURCES = import.meta.glob<string>(["../src/**/*.svelte", "../src/**/*.ts", "!../src/i18n/**"], {
  query: "?raw",
  import: "default",
  eager: true,
});
// names of dice in drawings, and localStorage keys
const NAMES = /^(Hulk|Avengers|Iron Man|Wolverine|Sidekick|Storm|Black Widow|Power Bolt|Thor|dicemasters \w+ ?)$/;
// CSS classes and message types
const MARKS = new Set(["lit pick", "why not", "play on"]);
// attributes that are shown or read aloud
const SPOKEN = new Set([
  "alt",
  "aria-label",
  "aria-description",
  "aria-roledescription",
  "aria-valuetext",
  "label",
  "placeholder",
  "title",
  "words",
  "text",
]);
const SILENT = new Set(["class", "style", "d", "href", "id", "viewBox"]);
// calls whose strings users never see
const MACHINE =
  /^(.*\.)?(querySelector|querySelectorAll|closest|matches|matchMedia|getElementById|animate|addEventListener|setProperty|startsWith|endsWith|includes|has|getItem|setItem|removeItem|Error|RegExp|read|write|attribute|setAttribute|removeAttribute|add|remove|toggle|test|split|join|replace|createElement|createElementNS|execCommand)$/;

/** Returns whether a string is readable text: two words, or one that begins like a sentence. */
const isReadable = (text: string): boolean =>
  !NAMES.test(text) &&
  !MARKS.has(text) &&
  (/\p{L}{2,}[,;:’']? +\p{L}/u.test(text) || /^\s*\p{Lu}\p{Ll}{2,}[.!?…:]?\s*$/u.test(text));

/** Lists the readable texts in TypeScript: literals that are not types, keys, cases, imports or internal arguments. */
export function textsInCode(code: string): string[] {
  const file = ts.createSourceFile("x.ts", code, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isImportDeclaration(node) ||
      ts.isExportDeclaration(node) ||
      ts.isTypeNode(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node)
    )
      return;
    if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && MACHINE.test(node.expression.getText(file))) {
      visit(node.expression);
      for (const one of node.arguments ?? [])
        if (!ts.isStringLiteralLike(one) && !ts.isTemplateExpression(one) && !ts.isArrayLiteralExpression(one))
          visit(one);
      return;
    }
    if (ts.isBinaryExpression(node) && /^[!=]==?$/.test(node.operatorToken.getText(file))) {
      for (const one of [node.left, node.right]) if (!ts.isStringLiteralLike(one)) visit(one);
      return;
    }
    if (ts.isCaseClause(node)) return node.statements.forEach(visit);
    if (ts.isPropertyAssignment(node)) return visit(node.initializer);
    if (ts.isElementAccessExpression(node)) return visit(node.expression);
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    ) {
      if (isReadable(node.text)) found.push(node.text);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Lists the readable texts of a component: between its tags, in spoken attributes, in its script and expressions. */
export function textsInComponent(source: string): string[] {
  const tree = parse(source, { modern: true });
  const found: string[] = [];
  for (const script of [tree.instance, tree.module])
    if (script) found.push(...textsInCode(at(script.content as unknown as Placed)));
  function at({ start, end }: Placed): string {
    return source.slice(start, end);
  }
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const one = node as AST.SvelteNode & Record<string, unknown>;
    if (one.type === "Comment") return;
    if (one.type === "Text") {
      if (/\p{L}{2,}/u.test(one.data)) found.push(one.data.trim());
      return;
    }
    if (one.type === "StyleDirective" || one.type === "ClassDirective") return;
    if (one.type === "Attribute") {
      const parts = one.value === true ? [] : Array.isArray(one.value) ? one.value : [one.value];
      for (const part of parts) {
        if (part.type === "Text") {
          if (SPOKEN.has(one.name) && /\p{L}{2,}/u.test(part.data)) found.push(part.data);
        } else if (!SILENT.has(one.name)) found.push(...textsInCode(`(${at(part.expression as unknown as Placed)})`));
      }
      return;
    }
    if (one.type === "ExpressionTag" || one.type === "HtmlTag" || one.type === "RenderTag")
      return void found.push(...textsInCode(`(${at(one.expression as unknown as Placed)})`));
    if (one.type === "ConstTag") return void found.push(...textsInCode(at(one.declaration as unknown as Placed)));
    if (one.type === "IfBlock") found.push(...textsInCode(`(${at(one.test as unknown as Placed)})`));
    for (const [key, value] of Object.entries(one))
      if (!["expression", "test", "context", "index", "key", "declaration", "name_loc", "loc"].includes(key))
        visit(value);
  };
  visit(tree.fragment);
  return found;
}

interface Placed {
  start: number;
  end: number;
}

describe("texts", () => {
  test.each(Object.entries(SOURCES))("%s contains no readable text", (path, source) => {
    expect(path.endsWith(".svelte") ? textsInComponent(source) : textsInCode(source)).toEqual([]);
  });

  test("are found in code, attributes, expressions and markup", () => {
    expect(
      textsInComponent(
        '<script lang="ts">const a = "Go on";</script><p title="Help">Close {x ? "Not now" : `${n} of them`}</p>',
      ),
    ).toEqual(["Go on", "Help", "Close", "Not now", " of them"]);
    expect(
      textsInCode(
        'import x from "./a b"; say("The dice fall."); find(".a .b"); document.querySelector("main p"); if (kind === "at once") go();',
      ),
    ).toEqual(["The dice fall."]);
  });
});
