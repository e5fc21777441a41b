import type { RunRow } from '@deviceportal/contract/runs';

/** What a run is called: its command, or the document of the command that runs any document. */
export const runName = ({
  command,
  documentName,
}: Pick<RunRow, 'command' | 'documentName'>): string =>
  command === 'document' ? documentName : command;
