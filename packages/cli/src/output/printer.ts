import type { CliContext } from '../cli-context.ts';
import { formatTable, type TableColumn } from './format-table.ts';
import { plainLine, plainText } from './plain-text.ts';

/** Prints results to the standard output, and everything else to the standard error. */
export class Printer {
  readonly isJson: boolean;
  readonly #context: CliContext;

  constructor(context: CliContext, isJson: boolean) {
    this.#context = context;
    this.isJson = isJson;
  }

  /** Columns of the terminal; undefined if the output is not a terminal. */
  get width(): number | undefined {
    const { stdout, env } = this.#context;
    if (stdout.isTTY !== true) return undefined;
    return stdout.columns ?? (Number(env['COLUMNS'] ?? '') || undefined);
  }

  /** For a person who watches; not with `--json`, and not in a log. */
  progress(text: string): void {
    if (this.#context.stderr.isTTY === true && !this.isJson) this.note(text);
  }

  note(text: string): void {
    this.#context.stderr.write(`${plainText(text)}\n`);
  }

  line(text: string): void {
    this.#context.stdout.write(`${plainText(text)}\n`);
  }

  json(document: unknown): void {
    this.#context.stdout.write(`${JSON.stringify(document)}\n`);
  }

  /** Text of a device. A terminal gets no control characters; a file gets what the device has sent. */
  output(text: string): void {
    const { stdout } = this.#context;
    stdout.write(stdout.isTTY === true ? plainText(text) : text);
  }

  /** A list: with `--json`, one document per line as it arrives. */
  async list<Row>(
    rows: AsyncIterable<Row> | Iterable<Row>,
    columns: readonly TableColumn<Row>[],
    none: string,
  ): Promise<void> {
    const all: Row[] = [];
    for await (const row of rows) {
      if (this.isJson) this.json(row);
      else all.push(row);
    }
    if (this.isJson) return;
    if (all.length === 0) this.note(none);
    else for (const line of formatTable(all, columns, this.width)) this.line(line);
  }

  /** Names and values of one thing. */
  facts(facts: Readonly<Record<string, string | number | null | undefined>>): void {
    const known = Object.entries(facts).filter(([, value]) => value !== undefined);
    const width = Math.max(...known.map(([name]) => name.length));
    for (const [name, value] of known) {
      this.line(`${name.padEnd(width)}  ${plainLine(String(value ?? '-')) || '-'}`);
    }
  }
}
