import { expect, it } from 'vitest';
import { keptApart } from './keep-file-lists-apart.ts';

/** As Vite writes it. The text is put together, so that it is not an import of this module. */
const load = (file: string, files: string): string =>
  `load(()=>import(${JSON.stringify(`./${file}`)}),${files});`;
const chunk = `const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["a.js","first.js","a.css"])))=>i.map(i=>d[i]);
${load('a.js', '__vite__mapDeps([0,1,2])')}${load('first.js', '__vite__mapDeps([1])')}`;

it('loads the files of an import from a list, and those of the first screen without one', () => {
  const kept = keptApart(chunk, new Set(['first.js']));
  expect(kept?.lists).toEqual([['a.js', 'first.js', 'a.css']]);
  expect(kept?.code).toBe(
    `${load('a.js', '{host:import.meta.url,list:0}')}${load('first.js', '["first.js"]')}`,
  );
});

it('finds no lists in code that is written in another way', () => {
  expect(keptApart(load('a.js', '["a.js"]'), new Set())).toBeUndefined();
});
