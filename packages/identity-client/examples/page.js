/* What every example shares: a client, the fields of the form, and who signed in. */
const client = identityClient.createIdentityClient({
  appId: 'example',
  appHost: location.origin,
  lang: 'en-US',
  // A page cannot keep a secret: PKCE binds the code instead.
  tokenEndPointAuthMethod: 'none',
  ...window.exampleOptions,
});

const byId = (id) => document.getElementById(id);
const fields = () => Object.fromEntries(new FormData(byId('form')));

async function tell(promise) {
  try {
    const outcome = await promise;
    byId('who').textContent = outcome ? JSON.stringify(outcome, null, 2) : '';
  } catch (error) {
    byId('who').textContent = `${error.code}: ${error.message}`;
  }
}

function onSubmit(signIn) {
  byId('form').addEventListener('submit', (event) => {
    event.preventDefault();
    void tell(signIn(fields()));
  });
}

Object.assign(window, { client, tell, onSubmit });
