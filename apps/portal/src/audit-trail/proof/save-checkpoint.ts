import type { AuditChain, AuditChainBlock } from '@deviceportal/contract/audit-trail';
import { downloadFrom } from '../../ui/download-from.ts';

/**
 * Saves the newest block and the public keys as a file, which `npm run verify-audit -- FILE`
 * checks.
 */
export function saveCheckpoint(head: AuditChainBlock, keys: AuditChain['keys']): void {
  const { content: _content, ...block } = head;
  const text = `${JSON.stringify({ block, keys }, null, 2)}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  downloadFrom(url, `audit-checkpoint-${block.number}.json`);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
