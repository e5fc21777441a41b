/** Verifies the audit trail and its exports in a worker, so that the page stays responsive. */

import { checkProof } from '@deviceportal/audit-proof/check-proof';
import { toHex } from '@deviceportal/audit-proof/hashing';
import { parseKeysFile } from '@deviceportal/audit-proof/keys-file';
import { ChainReader } from './chain-reader.ts';
import type { ProofAnswers, ToProofWorker } from './proof-messages.ts';
import { readTextLines } from './read-text-lines.ts';
import { createWebProofTools } from './web-proof-tools.ts';

interface WorkerScope {
  postMessage: (message: unknown) => void;
  addEventListener: (kind: 'message', hear: (event: MessageEvent<ToProofWorker>) => void) => void;
}

const scope = globalThis as unknown as WorkerScope;
const tools = createWebProofTools();
let reader: ChainReader | undefined;

scope.addEventListener('message', ({ data }) => {
  answer(data).then(
    (result) => scope.postMessage({ result }),
    (error: unknown) => scope.postMessage({ error: String(error) }),
  );
});

async function answer(asked: ToProofWorker): Promise<ProofAnswers[ToProofWorker['kind']]> {
  switch (asked.kind) {
    case 'begin':
      reader = new ChainReader(tools, asked);
      return null;
    case 'piece':
      if (reader === undefined) throw new Error('no check in progress');
      return reader.read(asked.piece);
    case 'end':
      if (reader === undefined) throw new Error('no check in progress');
      return reader.end(asked);
    case 'keys':
      return parseKeysFile(asked.text, tools.sha256);
    case 'proof': {
      const report = await checkProof(readTextLines(asked.file), tools, asked.trustedKeys);
      return { ...report, signaturesChecked: tools.signaturesChecked() };
    }
    case 'hash':
      return hashOf(asked.file);
  }
}

async function hashOf(file: File): Promise<string> {
  const hash = tools.createSha256();
  const source = file.stream().getReader();
  for (;;) {
    const { value, done } = await source.read();
    if (done) return toHex(hash.digest());
    hash.update(value);
  }
}
