import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const LINES = 15;

/** A script that takes 3 s, says a line every 200 ms, and leaves a mark each time it is run. */
export interface SlowScript {
  readonly text: string;
  /** Said early: the script is in the middle of its work. */
  readonly middle: string;
  readonly output: string;
  readonly countRuns: () => Promise<number>;
}

export function slowScript(directory: string, name: string, exitCode = 0): SlowScript {
  const mark = join(directory, `${name}.runs`);
  const lines = Array.from({ length: LINES }, (_, index) => `line ${index + 1}\n`);
  return {
    text: `echo run >> '${mark}'
number=0
while [ $number -lt ${LINES} ]; do
  number=$((number + 1))
  echo "line $number"
  sleep 0.2
done
exit ${exitCode}`,
    middle: 'line 4\n',
    output: lines.join(''),
    countRuns: async () => (await readFile(mark, 'utf8').catch(() => '')).split('\n').length - 1,
  };
}
