/** Makes the whole text of the table cell under the pointer or focus its tooltip if the cell cuts it off. */
export function showCutText({ target }: { readonly target: EventTarget }): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td, th') : null;
  if (cell === null) return;
  const isCut = [cell, ...cell.querySelectorAll('*')].some(
    (part) =>
      part.scrollWidth > part.clientWidth && getComputedStyle(part).textOverflow === 'ellipsis',
  );
  cell.title = isCut ? cell.innerText : '';
}
