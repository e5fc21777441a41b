/** Precedence of Semantic Versioning 2.0.0, section 11. Build metadata is ignored. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [partsOf(version), partsOf(than)];
  for (const [index, part] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0;
    if (part !== other) return part < other;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return a.pre.length > b.pre.length;
  for (const [index, part] of a.pre.entries()) {
    const other = b.pre[index];
    if (other === undefined) return false;
    if (part !== other) return isLess(part, other);
  }
  return a.pre.length < b.pre.length;
}

function isLess(one: string, other: string): boolean {
  const [a, b] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (a && b) return Number(one) < Number(other);
  if (a !== b) return a;
  return one < other;
}

function partsOf(version: string): { readonly numbers: number[]; readonly pre: string[] } {
  const [, core = '', pre = ''] = /^([\d.]+)(?:-([^+]+))?/.exec(version) ?? [];
  return { numbers: core.split('.').map(Number), pre: pre === '' ? [] : pre.split('.') };
}
