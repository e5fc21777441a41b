import { refusal } from '../refusals/refusal.ts';
import { terminalOffers } from './terminals.ts';

export const terminalRefusals = {
  'terminal-not-offered': refusal('This device does not offer a terminal.', {
    facts: { offer: terminalOffers },
  }),
  'terminal-device-offline': refusal('The device is not connected. Try again when it is online.'),
  'terminals-of-user': refusal(
    'You have {most} open terminals, which is the limit. End one first.',
    {
      facts: { most: 'count' },
    },
  ),
  'terminals-of-device': refusal(
    'This device has {most} open terminals, which is the limit. Try again later.',
    { facts: { most: 'count' } },
  ),
  'terminals-of-portal': refusal(
    'There are {most} open terminals, which is the limit. Try again later.',
    { facts: { most: 'count' } },
  ),
  'terminal-forbidden': refusal('Terminals are not allowed on devices of the model {model}.', {
    facts: { model: 'model' },
  }),
  'terminal-consent-not-possible': refusal(
    'A person at the device must agree to a terminal, but this device cannot ask. Start its agent with --terminal-consent PROGRAM.',
  ),
  'terminal-consent-out-of-reach': refusal(
    'Your permission does not apply to all devices of the model {model}.',
    { facts: { model: 'model', 'permission?': 'permission' }, error: 'noPermission' },
  ),
  'recording-search-busy': refusal(
    'Another search of recordings is running. Try again in a moment.',
  ),
  'terminal-not-recorded': refusal('This session has no recording.'),
} as const;
