import { parseArgs } from 'node:util';

/** `--size 1000000 --keep-in <folder>`: number of devices, and folder for reusing the database. */
export function readFleetSize(): { readonly size: number; readonly keepIn: string | undefined } {
  const { values } = parseArgs({
    options: { size: { type: 'string', default: '1000000' }, 'keep-in': { type: 'string' } },
  });
  return { size: Number(values.size), keepIn: values['keep-in'] };
}
