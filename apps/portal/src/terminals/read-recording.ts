export interface RecordedEvent {
  readonly atSeconds: number;
  readonly kind: 'output' | 'size';
  readonly text: string;
}

export interface Recording {
  readonly columns: number;
  readonly rows: number;
  readonly events: readonly RecordedEvent[];
  readonly seconds: number;
}

/**
 * Reads a recording in asciicast v2.
 * @throws Error if it is none
 */
export function readRecording(text: string): Recording {
  const [head = '', ...lines] = text.split('\n');
  const { version, width, height } = JSON.parse(head) as Record<string, unknown>;
  if (version !== 2 || typeof width !== 'number' || typeof height !== 'number')
    throw new Error('not a recording');
  const events = lines.flatMap((line): RecordedEvent[] => {
    if (line === '') return [];
    const [atSeconds, code, data] = JSON.parse(line) as [number, string, string];
    if (code !== 'o' && code !== 'r') return [];
    return [{ atSeconds, kind: code === 'o' ? 'output' : 'size', text: data }];
  });
  return { columns: width, rows: height, events, seconds: events.at(-1)?.atSeconds ?? 0 };
}
