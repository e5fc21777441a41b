import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const LINES = 15;

/** A script that takes 3 s, prints a line every 200 ms, and leaves a mark each time it is run. */
export interface SlowScript {
  readonly text: string;
  /** Printed early: the script is running. */
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
    countRuns: () => countMarks(mark),
  };
}

/** A script that takes a second and leaves a mark each time it is run on any device. */
export function markingScript(
  directory: string,
  name: string,
): Pick<SlowScript, 'text' | 'countRuns'> {
  const mark = join(directory, `${name}.runs`);
  return { text: `echo run >> '${mark}'\nsleep 1\n`, countRuns: () => countMarks(mark) };
}

const countMarks = async (mark: string): Promise<number> =>
  (await readFile(mark, 'utf8').catch(() => '')).split('\n').length - 1;
