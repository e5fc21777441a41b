/* Shared by all examples: the client, the form fields, and the signed-in user. */
const client = identityClient.createIdentityClient({
  appId: 'example',
  appHost: location.origin,
  lang: 'en-US',
  // A page cannot keep a secret. PKCE binds the code to this browser instead.
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
