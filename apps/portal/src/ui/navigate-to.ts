let go: (href: string) => void = (href) => location.assign(href);

/** Registers the router’s navigation. */
export function setNavigate(navigate: (href: string) => void): void {
  go = navigate;
}

/** Navigates to a path of this portal, from code outside the router’s components. */
export function navigateTo(href: string): void {
  go(href);
}
