import { parseArgs } from 'node:util';

/** `--size 1000000 --keep-in <folder>`: how many devices, and where they are kept for the next measurement. */
export function readFleetSize(): { readonly size: number; readonly keepIn: string | undefined } {
  const { values } = parseArgs({
    options: { size: { type: 'string', default: '1000000' }, 'keep-in': { type: 'string' } },
  });
  return { size: Number(values.size), keepIn: values['keep-in'] };
}
