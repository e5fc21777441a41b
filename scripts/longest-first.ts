import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of more than 100 s: started last, one of them would be left to a single core. */
const LONGEST = [
  'system-histories.walk',
  'broker-nodes.walk',
  'killed-file-transfers.walk',
  'killed-rotation.walk',
  'history-engines.walk',
  'interrupted-backups.walk',
  'shared-secrets.walk',
  'point-in-time.walk',
  'every-procedure',
];

/** Starts the longest files first, and the others in the order of Vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not a method of an array
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.includes(`/${name}.`));
  return place === -1 ? LONGEST.length : place;
}
