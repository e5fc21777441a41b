import type { SignatureFault } from '@deviceportal/command-signing/check-command';

/** Output of a rejected command, after "The device refused this command: ". */
export const refusalTexts: Readonly<Record<SignatureFault | 'repeated', string>> = {
  unsigned: 'its signature is missing.',
  'unknown-key': 'its signature is by a key that this device does not trust.',
  'wrong-signature': 'its signature is not valid.',
  'other-run': 'its signature belongs to another run.',
  'other-device': 'its signature does not cover this device.',
  expiry: 'its signature does not cover this delivery time.',
  document: 'its signature does not match the document.',
  parameters: 'its signature does not match the parameters.',
  settings: 'its signature does not match the settings of the run.',
  software: 'its signature does not match the files to install.',
  repeated: 'its signature was used on this device before.',
};
