import type { Page } from 'playwright/test';

/** Lists what does not fit the page: what is wider than the screen, cut or under something else. */
export function listMisfits(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const root = document.documentElement;
    const misfits = new Set<string>();
    const nameOf = (element: Element) => {
      const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ');
      return `${element.tagName.toLowerCase()}.${element.className.toString().split(' ')[0]} “${text.slice(0, 40)}”`;
    };
    const parentsOf = function* (element: Element | null) {
      for (let one = element; one; one = one.parentElement) yield one;
    };
    const isSeen = (element: Element) =>
      element.checkVisibility({ checkOpacity: true, visibilityProperty: true }) &&
      !element.closest(
        '.skip-link, [data-sonner-toaster], .list thead, .short-time-full, .mantine-VisuallyHidden-root, .unseen',
      );
    // The layer that lies over the page on purpose: a sticky bar, a menu, or a row's actions under the pointer.
    const layerOf = (element: Element) =>
      [...parentsOf(element)].find((one) => {
        const { position } = getComputedStyle(one);
        if (one.matches('.entry-actions')) return position === 'absolute';
        return one.matches('[role=menu], [role=dialog]') || /fixed|sticky/.test(position);
      });
    type Box = { element: Element; left: number; top: number; right: number; bottom: number };
    // The part of a box that its parents show.
    const clip = (element: Element, box: Omit<Box, 'element'>): Box => {
      const seen = { element, left: box.left, top: box.top, right: box.right, bottom: box.bottom };
      for (const parent of parentsOf(element)) {
        const style = getComputedStyle(parent);
        const edge = parent.getBoundingClientRect();
        if (style.overflowX !== 'visible') {
          seen.left = Math.max(seen.left, edge.left);
          seen.right = Math.min(seen.right, edge.right);
        }
        if (style.overflowY !== 'visible') {
          seen.top = Math.max(seen.top, edge.top);
          seen.bottom = Math.min(seen.bottom, edge.bottom);
        }
      }
      return seen;
    };

    if (root.scrollWidth > root.clientWidth) {
      misfits.add(`the page is ${root.scrollWidth - root.clientWidth} px wider than the screen`);
      for (const element of document.querySelectorAll('body *')) {
        const { right } = clip(element, element.getBoundingClientRect());
        if (right > root.clientWidth + 1 && element.children.length === 0 && isSeen(element))
          misfits.add(`${nameOf(element)} ends at ${Math.round(right)}`);
      }
    }

    const boxes: Box[] = [];
    const addBox = (element: Element, rect: DOMRect, trim = 0) => {
      const box = clip(element, rect);
      box.top = Math.max(box.top, rect.top + trim);
      box.bottom = Math.min(box.bottom, rect.bottom - trim);
      if (box.right - box.left > 2 && box.bottom - box.top > 2) boxes.push(box);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const cutters = new Map<Element, boolean>();
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement;
      if (!element || !node.textContent?.trim() || !isSeen(element) || element.closest('script, style, option, pre'))
        continue;
      const style = getComputedStyle(element);
      if (Number.parseFloat(style.lineHeight) < Number.parseFloat(style.fontSize) && style.display !== 'inline')
        misfits.add(`the lines of ${nameOf(element)} lie on each other`);
      const range = document.createRange();
      range.selectNodeContents(node);
      // A text's box is higher than its letters.
      const trim = Number.parseFloat(style.fontSize) * 0.2;
      for (const rect of range.getClientRects()) addBox(element, rect, trim);
      for (const parent of parentsOf(element)) {
        const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(parent);
        if (parent.clientWidth < 2 || !/hidden|clip/.test(overflowX)) continue;
        const isShort = textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
        cutters.set(parent, isShort);
        if (isShort) break;
      }
    }
    for (const [element, isShort] of cutters) {
      const isCut =
        element.scrollWidth > element.clientWidth + 1 || (!isShort && element.scrollHeight > element.clientHeight + 2);
      // The whole text is in its title, or on the page to which its row leads.
      const isElsewhere =
        isShort && element.closest('[title], [aria-expanded], .entry :is(a, summary), .row-link, .list-sub');
      if (isCut && !isElsewhere) misfits.add(`${nameOf(element)} is cut`);
    }

    for (const element of document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=slider]'))
      if (isSeen(element) && !element.closest('.docs-text, p, label:has(input[type=radio])'))
        for (const rect of element.getClientRects()) addBox(element, rect);
    // Whether one lies in the other, or both are a field and its button.
    const isOne = (one: Element, other: Element) =>
      one.contains(other) ||
      other.contains(one) ||
      (one.closest('.mantine-Input-wrapper, .plain-field')?.contains(other) ?? false);
    for (const { element, right } of boxes)
      if (right > root.clientWidth + 1 && layerOf(element)) misfits.add(`${nameOf(element)} ends beyond the screen`);
    boxes.sort((a, b) => a.top - b.top);
    const layers = boxes.map(({ element }) => layerOf(element));
    for (const [index, one] of boxes.entries())
      for (let next = index + 1; next < boxes.length; next++) {
        const other = boxes[next] as Box;
        if (other.top > one.bottom - 3) break;
        if (layers[index] !== layers[next]) continue;
        const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (width < 3 || height < 3 || isOne(one.element, other.element)) continue;
        const [a, b] = [nameOf(one.element), nameOf(other.element)];
        misfits.add(`${a} and ${b} overlap by ${Math.round(width)} × ${Math.round(height)} px`);
      }
    return [...misfits];
  });
}
