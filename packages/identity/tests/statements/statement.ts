import type { Node } from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/sync';

/** One call of `query` in the source. */
export interface Statement {
  /** File below `src` and line. */
  readonly place: string;
  /** File below `src` and the function that runs it. */
  readonly owner: string;
  /** Every text that it can run; undefined where the source alone does not tell. */
  readonly texts: readonly string[] | undefined;
  /** The declared type of a row; undefined without one. */
  readonly row: Type | undefined;
  /** Whether the code reads rows of the answer. */
  readonly readsRows: boolean;
  /** The values of its parameters; undefined where they are not written out. */
  readonly values: readonly Node[] | undefined;
}
