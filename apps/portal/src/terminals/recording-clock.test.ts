import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readRecording } from './read-recording.ts';
import { RecordingClock } from './recording-clock.ts';

const cast = [
  '{"version":2,"width":80,"height":24,"timestamp":0}',
  '[0.1,"o","one "]',
  '[1.0,"r","100x30"]',
  '[1.1,"o","two "]',
  '[61.1,"o","three"]',
  '',
].join('\n');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function play() {
  const shown = { text: '', size: '', starts: 0, at: 0, isPlaying: false };
  const clock = new RecordingClock(
    readRecording(cast),
    {
      onStart: () => {
        shown.starts += 1;
        shown.text = '';
      },
      onOutput: (text) => void (shown.text += text),
      onSize: (columns, rows) => void (shown.size = `${columns}x${rows}`),
      onChange: ({ atSeconds, isPlaying }) => Object.assign(shown, { at: atSeconds, isPlaying }),
    },
    () => Date.now(),
  );
  clock.play();
  return { clock, shown };
}

test('output appears at its time, and long pauses are shortened', () => {
  const { shown } = play();
  vi.advanceTimersByTime(200);
  expect(shown.text).toBe('one ');
  vi.advanceTimersByTime(1_000);
  expect(shown).toMatchObject({ text: 'one two ', size: '100x30' });
  vi.advanceTimersByTime(2_500);
  expect(shown).toMatchObject({ text: 'one two three', isPlaying: false, at: 61.1 });
});

test('a paused recording does not advance, and continues at the same position', () => {
  const { clock, shown } = play();
  vi.advanceTimersByTime(200);
  clock.pause();
  vi.advanceTimersByTime(10_000);
  expect(shown).toMatchObject({ text: 'one ', isPlaying: false });
  clock.play();
  vi.advanceTimersByTime(1_000);
  expect(shown).toMatchObject({ text: 'one two ', starts: 1 });
});

test('a higher speed takes less time', () => {
  const { clock, shown } = play();
  clock.setSpeed(4);
  vi.advanceTimersByTime(400);
  expect(shown.text).toBe('one two ');
});

test('a recording that was played starts again from the beginning', () => {
  const { clock, shown } = play();
  vi.advanceTimersByTime(10_000);
  clock.play();
  expect(shown).toMatchObject({ text: '', starts: 2 });
});

test('a jump shows the screen after an event, forwards and backwards, and pauses', () => {
  const { clock, shown } = play();
  clock.jumpTo(3);
  expect(shown).toMatchObject({
    text: 'one two three',
    size: '100x30',
    at: 61.1,
    isPlaying: false,
  });
  clock.jumpTo(0);
  expect(shown).toMatchObject({ text: 'one ', at: 0.1, isPlaying: false });
  vi.advanceTimersByTime(5_000);
  expect(shown.text).toBe('one ');
  clock.play();
  vi.advanceTimersByTime(1_500);
  expect(shown.text).toBe('one two ');
  clock.jumpTo(99);
  expect(shown.text).toBe('one two ');
});

test('a jump into a long recording writes only the latest output', () => {
  const events = Array.from({ length: 50 }, (_, at) => [at, 'o', `${at};${'x'.repeat(100_000)}`]);
  let written = '';
  const clock = new RecordingClock(
    readRecording(
      [cast.split('\n')[0], ...events.map((event) => JSON.stringify(event))].join('\n'),
    ),
    { onStart() {}, onSize() {}, onChange() {}, onOutput: (text) => void (written += text) },
  );
  clock.jumpTo(49);
  expect(written.length).toBeLessThan(2_300_000);
  expect(written).toContain('49;');
  expect(written).not.toContain('10;');
});

test('another file is not a recording', () => {
  expect(() => readRecording('{"version":1}')).toThrow('not a recording');
});
