import { describe, expect, it } from 'vitest';
import { releaseNotes } from '@deviceportal/contract/release-notes';
import type { Translate } from '../i18n/use-t.ts';
import { versionNote } from './version-note.ts';

const t = ((key: string) => `<${key}>`) as Translate;

describe('note of a document version', () => {
  it('is translated if it comes from a release', () => {
    expect(versionNote(releaseNotes.included, t)).toBe('<documents.releaseNote.included>');
    expect(versionNote(releaseNotes.changed, t)).toBe('<documents.releaseNote.changed>');
  });

  it('is shown as a user wrote it', () => {
    expect(versionNote('Longer timeout', t)).toBe('Longer timeout');
  });
});
