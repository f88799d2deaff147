/** Lets a screen reader read a text, politely. `PopUpArea` has the element for it. */
export function announce(text: string): void {
  const area = document.querySelector('[data-announcer]');
  // A screen reader reads only changed text, so a repeated text gets a trailing space.
  if (area) area.textContent = area.textContent === text ? `${text}\u00a0` : text;
}
