/** Pixels that rounding can leave at the end. */
const ROUNDING = 2;

/**
 * Marks the element around the scrolling part of a table (`data-dp-more`) while there is more at its
 * end. Cloudscape makes the part a focusable region with the label of the table, but shows nothing.
 */
export function watchScrollEdge(place: HTMLElement | null): (() => void) | undefined {
  const part = place?.querySelector<HTMLElement>('[class*="awsui_wrapper_"]:has(> table)');
  const around = part?.parentElement;
  if (!part || !around) return undefined;
  const mark = (): void => {
    const hidden = part.scrollWidth - part.clientWidth - Math.abs(part.scrollLeft);
    around.toggleAttribute('data-dp-more', hidden > ROUNDING);
  };
  const sizes = new ResizeObserver(mark);
  sizes.observe(part);
  for (const child of part.children) sizes.observe(child);
  part.addEventListener('scroll', mark, { passive: true });
  mark();
  return () => {
    sizes.disconnect();
    part.removeEventListener('scroll', mark);
  };
}
