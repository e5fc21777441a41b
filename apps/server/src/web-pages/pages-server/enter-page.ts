import { messagePage } from './message-page.ts';

/** Paths below this are those of the portal, not of the device. */
export const OWN_PATH = '/.device-portal/';
export const ENTER_PATH = `${OWN_PATH}enter`;

/**
 * Exchanges the secret in the fragment for a cookie of this origin, and opens the page. A request that the
 * portal starts would not carry a `SameSite=Strict` cookie; one that this page starts does.
 */
const script = `
const secret = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const answer = secret && await fetch('${ENTER_PATH}', { method: 'POST', body: secret });
if (answer && answer.status === 204) location.replace('/');
else document.body.dataset.state = 'failed';
`;

/** @param nonce random; of the only script that may run */
export function enterPage(nonce: string, language: string | undefined): string {
  const failed = messagePage('link-used', language);
  return failed.replace(
    '</body>',
    `<script type="module" nonce="${nonce}">${script}</script>
<style nonce="${nonce}">body:not([data-state='failed']) main { visibility: hidden; }</style></body>`,
  );
}

export const enterPolicy = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
