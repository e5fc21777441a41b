import type { Viewer } from '../platform/viewer.ts';
import type { EntryDraft } from './data/case-entry-queries.ts';

/** An entry of what the viewer themselves did. */
export function ownEntry(viewer: Viewer, entry: Omit<EntryDraft, 'actorId' | 'actor'>): EntryDraft {
  return { ...entry, actorId: viewer.userId, actor: viewer.displayName };
}
