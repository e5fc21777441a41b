/**
 * Asks for passkeys. Optional enhancements: offers them in the field for the account, prevents double submission, redirects, submits complete codes, polls QR
 * codes, and counts down to the next code.
 */
export const PAGE_SCRIPT = `
for (const form of document.querySelectorAll('form[data-passkey]')) {
  const problem = form.querySelector('[role=alert]');
  form.addEventListener('submit', async (event) => {
    const field = form.elements.credential;
    if (field.value) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    problem.hidden = true;
    try {
      const options = JSON.parse(form.dataset.passkey);
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const credential = await navigator.credentials.get({ publicKey });
      field.value = JSON.stringify(credential.toJSON());
      form.requestSubmit();
    } catch (error) {
      if (error.name === 'NotAllowedError' || error.name === 'AbortError') return;
      problem.textContent = form.dataset.unsupported;
      problem.hidden = false;
    }
  });
}
const offered = document.querySelector('form[data-autofill]');
const signs = ['pointermove', 'pointerdown', 'keydown', 'touchstart'];
const offer = async () => {
  const stop = new AbortController();
  addEventListener('submit', () => stop.abort(), { once: true, signal: stop.signal });
  try {
    const reply = await fetch(offered.dataset.autofill);
    if (!reply.ok || stop.signal.aborted) return;
    const options = await reply.json();
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    setTimeout(() => stop.abort('old'), options.timeout - 10000);
    const credential = await navigator.credentials.get({ publicKey, mediation: 'conditional', signal: stop.signal });
    offered.elements.credential.value = JSON.stringify(credential.toJSON());
    offered.requestSubmit();
  } catch (error) {
    if (stop.signal.reason === 'old') waitToOffer();
  }
};
const waitToOffer = () => {
  const seen = new AbortController();
  for (const sign of signs) addEventListener(sign, () => { seen.abort(); offer(); }, { signal: seen.signal, passive: true });
};
if (offered) globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.().then((can) => { if (can) waitToOffer(); });
for (const form of document.forms) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = 'yes';
    setTimeout(() => { for (const button of form.querySelectorAll('button')) button.disabled = true; });
  });
  if ('goOn' in form.dataset) form.requestSubmit();
}
const code = document.querySelector('input.code');
code?.addEventListener('input', () => {
  if (/^\\d{6}$/.test(code.value.trim())) code.form.requestSubmit();
});
const polled = document.querySelector('form[data-poll]');
const said = document.querySelector('[data-scanned]');
const look = async () => {
  const answer = await fetch(polled.dataset.poll).then((reply) => reply.json()).catch(() => undefined);
  const { status, userInfo } = answer?.data ?? {};
  if (answer !== undefined && status !== 0 && status !== 1) return polled.requestSubmit();
  if (status === 1) {
    const text = said.dataset.scanned.replace('{nickname}', userInfo?.nickname ?? '');
    if (said.textContent !== text) said.textContent = text;
  }
  setTimeout(look, 800);
};
if (polled) setTimeout(look, 800);
for (const button of document.querySelectorAll('button[data-wait]')) {
  const label = button.textContent;
  const readyAt = Date.now() + Number(button.dataset.wait) * 1000;
  const count = () => {
    const seconds = Math.ceil((readyAt - Date.now()) / 1000);
    button.disabled = seconds > 0;
    button.textContent = seconds > 0 ? button.dataset.waiting.replace('{seconds}', seconds) : label;
    if (seconds > 0) setTimeout(count, 250);
  };
  count();
}
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const form of document.forms) {
    delete form.dataset.sent;
    if (form.elements.credential) form.elements.credential.value = '';
    for (const button of form.querySelectorAll('button')) button.disabled = false;
  }
});
`;
