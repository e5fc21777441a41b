export type GuideBlock =
  | {
      readonly kind: 'heading';
      readonly level: number;
      readonly text: string;
      /** The anchor of the heading in the English guide, in a translation. */
      readonly englishAnchor?: string | undefined;
    }
  | { readonly kind: 'text' | 'quote' | 'code'; readonly text: string }
  | {
      readonly kind: 'picture';
      /** The alternative text. */
      readonly text: string;
      readonly path: string;
    }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly string[] }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly string[][];
    };

const FENCE = '```';
const ITEM = /^(?:[-*]|\d+\.) +/;
const PICTURE = /^!\[([^\]]*)\]\(([^)]+)\)$/;
/** The line that leads to the guide in the other language. */
const LEFT_OUT = /^(?:English \| \[|\[English\]\()/;

/**
 * The blocks of a guide in the Markdown that the guides use, without comments and the line of
 * languages. A picture is a line of its own.
 */
export function readGuide(markdown: string): GuideBlock[] {
  const lines = markdown.replaceAll(/<!--[\s\S]*?-->/g, '').split('\n');
  const blocks: GuideBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || LEFT_OUT.test(line)) {
      at += 1;
      continue;
    }
    const length = lengthOf(lines, at);
    blocks.push(blockOf(lines.slice(at, at + length)));
    at += length;
  }
  return blocks;
}

/** Number of lines of the block that begins here. */
function lengthOf(lines: readonly string[], at: number): number {
  const first = lines[at] ?? '';
  if (first.startsWith('#') || PICTURE.test(first)) return 1;
  const rest = lines.slice(at + 1);
  const endsAt = rest.findIndex((line, index) => {
    if (first.startsWith(FENCE)) return index > 0 && rest[index - 1]?.startsWith(FENCE) === true;
    if (ITEM.test(first)) return !continuesList(line, rest[index + 1]);
    return line.trim() === '' || line.startsWith('#') || line.startsWith(FENCE) || ITEM.test(line);
  });
  if (first.startsWith(FENCE) && rest[0]?.startsWith(FENCE) === true) return 2;
  return endsAt === -1 ? rest.length + 1 : endsAt + 1;
}

/** An item, a line that continues one, or an empty line between items. */
const continuesList = (line: string, next: string | undefined): boolean =>
  ITEM.test(line) ||
  /^ +\S/.test(line) ||
  (line.trim() === '' && next !== undefined && (ITEM.test(next) || /^ +\S/.test(next)));

function blockOf(lines: readonly string[]): GuideBlock {
  const [first = ''] = lines;
  const heading = /^(#+) +(.*)$/.exec(first);
  if (heading !== null) {
    return { kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' };
  }
  const [, text = '', path] = PICTURE.exec(first) ?? [];
  if (path !== undefined) return { kind: 'picture', text, path };
  if (first.startsWith(FENCE)) {
    const code = lines.slice(1).filter((line) => !line.startsWith(FENCE));
    return { kind: 'code', text: code.join('\n') };
  }
  if (first.startsWith('|')) {
    const [head = [], , ...rows] = lines.map(cellsOf);
    return { kind: 'table', head, rows };
  }
  if (first.startsWith('>')) {
    return { kind: 'quote', text: joined(lines.map((line) => line.replace(/^> ?/, ''))) };
  }
  if (ITEM.test(first)) {
    return { kind: 'list', ordered: /^\d/.test(first), items: itemsOf(lines) };
  }
  return { kind: 'text', text: joined(lines) };
}

/** Items of a nested list follow their item, each after a dash; lines of code become code in it. */
function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  let isCode = false;
  for (const line of lines) {
    const text = line.trim();
    if (text.startsWith(FENCE)) isCode = !isCode;
    else if (ITEM.test(line) && !isCode) items.push(line.replace(ITEM, ''));
    else if (text !== '') {
      const words = isCode ? `\`${text}\`` : text.replace(/^(?:[-*]|\d+\.) +/, '– ');
      items.push(`${items.pop() ?? ''} ${words}`);
    }
  }
  return items;
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

const joined = (lines: readonly string[]): string => lines.map((line) => line.trim()).join(' ');

export type GuidePart =
  | { readonly kind: 'plain' | 'code' | 'strong'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

/** The parts of a line: code, strong text, and links. */
export function partsOf(text: string): GuidePart[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/)
    .filter((part) => part !== '')
    .map((part): GuidePart => {
      if (part.startsWith('`') && part.length > 1) return { kind: 'code', text: part.slice(1, -1) };
      if (part.startsWith('**') && part.length > 4)
        return { kind: 'strong', text: part.slice(2, -2) };
      const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
      if (link === null) return { kind: 'plain', text: part };
      return { kind: 'link', text: link[1] ?? '', href: link[2] ?? '' };
    });
}

/** The anchor of a heading, as on GitHub. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
