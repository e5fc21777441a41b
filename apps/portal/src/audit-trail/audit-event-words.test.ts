import { describe, expect, it } from 'vitest';
import { auditTypes, type AuditEvent } from '@deviceportal/contract/audit-trail';
import { formatMessage } from '../i18n/format-message.ts';
import type { Language } from '../i18n/languages.ts';
import type { Translate } from '../i18n/use-t.ts';
import { auditSentence, auditTypeWords } from './audit-event-words.ts';
import en from './messages/en.json' with { type: 'json' };
import zh from './messages/zh-CN.json' with { type: 'json' };

const catalogs: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en,
  'zh-CN': zh,
};

const translate =
  (language: Language): Translate =>
  (key, values) =>
    formatMessage({ language, messages: catalogs[language] }, key, values);

const details = {
  number: String,
  list: (items: readonly string[]) => items.join(', '),
  state: (_kind: string, value: string) => value,
};

const event = (type: string, data: AuditEvent['data'] = {}): AuditEvent => ({
  id: '0199',
  at: '2026-11-20T18:00:00.000Z',
  type,
  deviceId: 'd1',
  deviceName: 'kiosk-1',
  serialNumber: 'SN1',
  command: null,
  actor: { kind: 'user', id: 'u1', name: 'ana', address: '127.0.0.1' },
  requestId: null,
  data,
});

describe.each(['en', 'zh-CN'] as const)('texts of audit events in %s', (language) => {
  const t = translate(language);

  it('every type has a name and a sentence', () => {
    const missing = auditTypes.filter(
      (type) =>
        auditTypeWords(type, t) === type || !(`auditTrail.sentence.${type}` in catalogs[language]),
    );
    expect(missing).toEqual([]);
  });

  it('every sentence can be formed without data', () => {
    for (const type of auditTypes) {
      expect(auditSentence(event(type), t, details)).not.toMatch(/auditTrail\.|undefined|\{/);
    }
  });
});

describe('sentences', () => {
  it('a run that was paused without queued commands names no device', () => {
    const of = {
      ...event('command.paused'),
      command: 'locate',
      deviceId: null,
      deviceName: null,
      serialNumber: null,
    };
    expect(auditSentence(of, translate('en'), details)).toBe(
      'ana paused the run of locate after all of it was sent',
    );
    expect(say('command.paused', {})).toBe('ana paused the run: the command is queued for SN1');
  });

  it('changed software lists additions, removals, and changed versions', () => {
    const changes = [
      { component: 'agent', before: '1.0', after: '1.1' },
      { component: 'node', before: null, after: '24' },
      { component: 'shell', before: '5', after: null },
    ];
    expect(say('device.software-changed', { changes })).toBe(
      'SN1 reported software changes: agent 1.0 → 1.1, +node 24, −shell',
    );
  });

  it('a crashed service is named, and internal numbers of the journal are omitted', () => {
    const data = { seq: 10, instanceId: 'mi-1', service: 'kiosk-ui', exitCode: 139 };
    expect(say('device-event.service-crashed', data)).toBe(
      'A service on SN1 crashed: kiosk-ui (exit 139)',
    );
  });

  const say = (type: string, data: AuditEvent['data']): string =>
    auditSentence(event(type, data), translate('en'), details);

  it('a command names the user, the command, and the device', () => {
    expect(say('command.requested', { command: 'restart/agent' })).toBe(
      'ana ran restart/agent on SN1',
    );
  });

  it('a document that was run is named', () => {
    expect(say('command.requested', { command: 'document', document: 'Clean-disks:2' })).toBe(
      'ana ran Clean-disks:2 on SN1',
    );
    expect(say('command.started', { command: 'document' })).toBe('SN1 started the command');
  });

  it('a result names the command if known, and a failure its exit code', () => {
    expect(say('command.finished', { statusDetails: 'Failed', responseCode: 2 })).toBe(
      'SN1 finished the command: Failed (exit 2)',
    );
    const known = { ...event('command.finished', { statusDetails: 'Success' }), command: 'locate' };
    expect(auditSentence(known, translate('en'), details)).toBe('SN1 finished locate: Success');
  });

  it('an edit names only the changed fields', () => {
    const data = { before: { name: 'a', model: 'x' }, after: { name: 'b', model: 'x' } };
    expect(say('device.updated', data)).toBe('ana edited name of SN1');
  });

  it('an unknown type from a device still forms a sentence', () => {
    expect(auditTypeWords('device-event.door-open', translate('en'))).toBe('door-open');
    expect(say('device-event.door-open', { door: 2 })).toBe('SN1: door: 2');
  });
});
