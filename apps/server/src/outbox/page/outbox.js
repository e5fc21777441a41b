// The outbox page in the browser: new messages come in by themselves, the list narrows to a recipient, codes are copied.
const list = document.querySelector('#messages');
const filter = document.querySelector('#filter');
const status = document.querySelector('#status');

function applyFilter() {
  const wanted = filter.value.trim().toLowerCase();
  let shown = 0;
  for (const article of list.querySelectorAll('article')) {
    article.hidden = !article.dataset.to.toLowerCase().includes(wanted);
    if (!article.hidden) shown += 1;
  }
  document.querySelector('#nothing').hidden = shown > 0;
}

function showTimes() {
  for (const time of list.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    time.textContent = at.toLocaleTimeString();
    time.title = at.toLocaleString();
  }
}

async function refresh() {
  const reply = await fetch('/outbox');
  if (!reply.ok) return;
  const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html');
  // From the oldest to the newest, each to the top: what is open on the page stays open.
  for (const article of [...fresh.querySelectorAll('#messages article')].toReversed()) {
    if (document.getElementById(article.id) !== null) continue;
    article.classList.add('new');
    list.prepend(document.adoptNode(article));
  }
  showTimes();
  applyFilter();
}

list.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-code]');
  if (button === null) return;
  await navigator.clipboard.writeText(button.dataset.code);
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy code';
  }, 2_000);
});

// Mails are drawn when somebody opens them, not fifty at once.
list.addEventListener(
  'toggle',
  (event) => {
    const frame = event.target.querySelector('iframe[data-src]');
    if (frame === null || !event.target.open) return;
    frame.src = frame.dataset.src;
    delete frame.dataset.src;
  },
  true,
);

filter.addEventListener('input', applyFilter);

const events = new EventSource('/outbox/events');
events.addEventListener('open', () => {
  status.dataset.state = 'live';
  status.textContent = 'New messages appear by themselves.';
  void refresh();
});
events.addEventListener('message', () => void refresh());
events.addEventListener('error', () => {
  status.dataset.state = 'lost';
  status.textContent = 'The server does not answer; the page tries again.';
});

showTimes();
applyFilter();
