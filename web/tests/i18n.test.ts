/** Every word a person can read stands in src/i18n; no other file may hold one. */

import { parse, type AST } from "svelte/compiler";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const SOURCES = import.meta.glob<string>(["../src/**/*.svelte", "../src/**/*.ts", "!../src/i18n/**"], {
  query: "?raw",
  import: "default",
  eager: true,
});
// names of dice in a drawing, and the keys of what this browser keeps
const NAMES = /^(Hulk|Avengers|Iron Man|Wolverine|Sidekick|Storm|Black Widow|Power Bolt|Thor|dicemasters \w+ ?)$/;
// classes of what is drawn, kinds of messages
const MARKS = new Set(["lit pick", "why not", "play on"]);
// attributes whose text is shown or read out
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
// calls whose texts are for the machine
const MACHINE =
  /^(.*\.)?(querySelector|querySelectorAll|closest|matches|matchMedia|getElementById|animate|addEventListener|setProperty|startsWith|endsWith|includes|has|getItem|setItem|removeItem|Error|RegExp|read|write|attribute|setAttribute|removeAttribute|add|remove|toggle|test|split|join|replace|createElement|createElementNS|execCommand)$/;

/** Whether a text holds words for people: two words, or one that begins like a sentence. */
const isSaid = (text: string): boolean =>
  !NAMES.test(text) &&
  !MARKS.has(text) &&
  (/\p{L}{2,}[,;:’']? +\p{L}/u.test(text) || /^\s*\p{Lu}\p{Ll}{2,}[.!?…:]?\s*$/u.test(text));

/** List the texts in TypeScript that people may read: literals that are no types, keys, cases, imports or arguments for the machine. */
export function saidInCode(code: string): string[] {
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
      if (isSaid(node.text)) found.push(node.text);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** List the texts of a component that people may read: between its tags, in spoken attributes, in its script and its expressions. */
export function saidInComponent(source: string): string[] {
  const tree = parse(source, { modern: true });
  const found: string[] = [];
  for (const script of [tree.instance, tree.module])
    if (script) found.push(...saidInCode(at(script.content as unknown as Placed)));
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
        } else if (!SILENT.has(one.name)) found.push(...saidInCode(`(${at(part.expression as unknown as Placed)})`));
      }
      return;
    }
    if (one.type === "ExpressionTag" || one.type === "HtmlTag" || one.type === "RenderTag")
      return void found.push(...saidInCode(`(${at(one.expression as unknown as Placed)})`));
    if (one.type === "ConstTag") return void found.push(...saidInCode(at(one.declaration as unknown as Placed)));
    if (one.type === "IfBlock") found.push(...saidInCode(`(${at(one.test as unknown as Placed)})`));
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

describe("words", () => {
  test.each(Object.entries(SOURCES))("%s holds none of its own", (path, source) => {
    expect(path.endsWith(".svelte") ? saidInComponent(source) : saidInCode(source)).toEqual([]);
  });

  test("are found wherever somebody may leave them", () => {
    expect(
      saidInComponent(
        '<script lang="ts">const a = "Go on";</script><p title="Help">Close {x ? "Not now" : `${n} of them`}</p>',
      ),
    ).toEqual(["Go on", "Help", "Close", "Not now", " of them"]);
    expect(
      saidInCode(
        'import x from "./a b"; say("The dice fall."); find(".a .b"); document.querySelector("main p"); if (kind === "at once") go();',
      ),
    ).toEqual(["The dice fall."]);
  });
});
