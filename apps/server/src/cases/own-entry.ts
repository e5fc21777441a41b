import type { Viewer } from '../platform/viewer.ts';
import type { EntryDraft } from './data/case-entry-queries.ts';

/** An entry about an action of the viewer. */
export function ownEntry(viewer: Viewer, entry: Omit<EntryDraft, 'actorId' | 'actor'>): EntryDraft {
  return { ...entry, actorId: viewer.userId, actor: viewer.displayName };
}
