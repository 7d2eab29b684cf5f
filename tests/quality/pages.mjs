/*
 * Makes the pages that other programs show of documents, for `python -m tests.quality.corpora`.
 *
 *   npm install @asciidoctor/core mammoth remark-frontmatter remark-gfm remark-mdx remark-parse unified
 *   node pages.mjs FOLDER PAGES/NAME-OF-FOLDER
 *
 * For each .adoc, .mdx and .docx in FOLDER it writes a page of the same name into PAGES: asciidoctor's, the text of the
 * nodes that remark finds, mammoth's. Nothing is run, included or fetched.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { convert } from "@asciidoctor/core";
import mammoth from "mammoth";
import frontmatter from "remark-frontmatter";
import gfm from "remark-gfm";
import mdx from "remark-mdx";
import parse from "remark-parse";
import { unified } from "unified";

const remark = unified().use(parse).use(frontmatter, ["yaml", "toml"]).use(gfm).use(mdx);
const SILENT = new Set(["yaml", "toml", "mdxjsEsm", "html", "definition", "image", "imageReference"]);
const QUOTED = /^\s*(["'`])([^]*)\1\s*$/;

function shown(node) {
  if (SILENT.has(node.type)) return "";
  if (node.type.endsWith("Expression")) return QUOTED.exec(node.value)?.[2].replace(/[&<]/g, " ") ?? "";
  const text = (node.value ?? "").replace(/&/g, "&amp;").replace(/</g, "&lt;");
  if (node.type === "code") return `<pre>${text}</pre>`;
  if (node.value !== undefined) return text;
  const inside = (node.children ?? []).map(shown).join("");
  const flows = ["emphasis", "strong", "delete", "link", "linkReference", "mdxJsxTextElement"].includes(node.type);
  return flows ? inside : ` ${inside} `;
}

const MAKERS = {
  ".adoc": (data) => convert(data.toString(), { safe: "secure", attributes: { showtitle: "" } }),
  ".mdx": (data) => `<body>${shown(remark.parse(data.toString()))}</body>`,
  ".docx": async (data) => (await mammoth.convertToHtml({ buffer: data })).value,
};

const [folder, pages] = process.argv.slice(2);
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const make = MAKERS[/\.\w+$/.exec(entry.name)?.[0]];
  if (!make || !entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  const page = join(pages, relative(folder, path).replace(/\.\w+$/, ".html"));
  try {
    const made = await make(readFileSync(path));
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, made);
  } catch (error) {
    console.error(`${path}: ${String(error).split("\n")[0]}`);
  }
}
