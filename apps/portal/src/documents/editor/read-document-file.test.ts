import { expect, test } from 'vitest';
import { readDocumentFile } from './read-document-file.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = 'schemaVersion: "2.2"\nmainSteps: []\n';

test('reads a file unchanged and derives the document name from its file name', () => {
  expect(readDocumentFile('acme clean-v3.yaml', bytes(text))).toEqual({
    kind: 'text',
    extra: null,
    content: text,
    name: 'acme-clean',
  });
  expect(readDocumentFile('a.YML', bytes(`\uFEFF${text.replaceAll('\n', '\r\n')}`))).toEqual({
    kind: 'text',
    extra: null,
    content: text,
    name: 'a',
  });
});

test('extracts the text from a response of SSM', () => {
  const answer = { Name: 'acme-clean', DocumentFormat: 'YAML', Content: text, Status: 'Active' };
  expect(readDocumentFile('download.json', bytes(JSON.stringify(answer)))).toEqual({
    kind: 'text',
    extra: null,
    content: text,
    name: 'acme-clean',
  });
  const plain = JSON.stringify({ schemaVersion: '2.2', mainSteps: [] });
  expect(readDocumentFile('x.json', bytes(plain))).toMatchObject({ content: plain });
});

test('rejects files that are not text or are too large', () => {
  expect(readDocumentFile('x.zip', new Uint8Array([0x50, 0x4b, 0xff, 0xfe]))).toEqual({
    kind: 'refused',
    problem: 'not-text',
  });
  expect(readDocumentFile('x.yaml', new Uint8Array(300 * 1024))).toEqual({
    kind: 'refused',
    problem: 'too-large',
  });
});

test('reads the additional properties of a file exported by another portal', () => {
  const extra = { consequence: 'changes', secretParameters: ['key'], phasesText: 'verify: []' };
  const whole = JSON.stringify({ Name: 'acme-clean', Content: text, DevicePortal: extra });
  const file = readDocumentFile('acme-clean-v3.deviceportal.json', new TextEncoder().encode(whole));
  expect(file).toEqual({ kind: 'text', content: text, name: 'acme-clean', extra });
  const strange = JSON.stringify({ Content: text, DevicePortal: { consequence: 'all' } });
  expect(
    readDocumentFile('acme-clean-v3.deviceportal.json', new TextEncoder().encode(strange)),
  ).toEqual({ kind: 'text', content: text, name: 'acme-clean', extra: null });
});
