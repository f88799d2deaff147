// Draws the bell of the Staff Notification service in the page of a company (`/docs/bell`), as a frame of the service.
// The page learns two numbers only, by the events `count` (unread) and `open` (1 or 0).
(() => {
  const service = new URL(document.currentScript?.src ?? location.href).origin;
  const gap = 8;
  // Not all browsers take each of them for a press. A page may stop them, so they are captured.
  const events = ['message', 'pointerdown', 'pointerup', 'touchend', 'click', 'keydown'];
  // The route of this file fills in the texts of each language.
  const texts = '{{bell}}';

  class StaffNotifications extends HTMLElement {
    static observedAttributes = ['size', 'side', 'language', 'theme'];
    #frame;
    #root;
    #size = 44;
    #side = 'right';
    #count;
    #open = 0;
    #place = 'place:below:0';
    #wasPressed = false;
    #isListening = false;

    connectedCallback() {
      for (const type of events) addEventListener(type, this, true);
      this.#draw();
    }

    disconnectedCallback() {
      for (const type of events) removeEventListener(type, this, true);
      this.#frame?.remove();
      this.#frame = undefined;
    }

    attributeChangedCallback() {
      if (this.#frame) this.#draw();
    }

    #draw() {
      const read = (name) => this.getAttribute(name) ?? '';
      const [lang, theme] = [read('language'), read('theme')];
      const side = read('side') === 'left' ? 'left' : 'right';
      const size = Math.min(64, Math.max(32, Number(read('size')) || 44));
      [this.#side, this.#size] = [side, size];
      const [width, height] = [`${size}px`, `${size}px`];
      Object.assign(this.style, { display: 'inline-block', position: 'relative', width, height });
      this.#frame?.remove();
      const frame = document.createElement('iframe');
      this.#frame = frame;
      this.#isListening = false;
      this.#place = 'place:below:0';
      frame.title = (texts[lang] ?? texts[document.documentElement.lang.slice(0, 2)] ?? Object.values(texts)[0]).title;
      // The press that unlocks the sound may be one on the page.
      frame.allow = 'autoplay';
      frame.style.cssText = `position: absolute; border: 0; z-index: 2147483000; color-scheme: normal`;
      this.#resize(size, size);
      const { origin } = location;
      frame.src = `${service}/embed?${new URLSearchParams({ origin, side, size, theme, lang })}`;
      this.#root ??= this.attachShadow({ mode: 'open' });
      this.#root.append(frame);
    }

    // As large as the frame wants and the window allows: above the bell where more room is, and beyond the edge of
    // the bell that `side` names as far as the other side lacks room. The frame moves its bell by as much.
    #resize(wantedWidth, wantedHeight) {
      const { left, right, top, bottom } = this.getBoundingClientRect();
      const { clientWidth, clientHeight } = document.documentElement;
      const width = Math.max(this.#size, Math.min(wantedWidth, clientWidth - 2 * gap));
      const room = this.#side === 'left' ? clientWidth - left : right;
      const shift = width > this.#size ? Math.max(0, Math.round(width + gap - room)) : 0;
      const [below, above] = [clientHeight - Math.max(0, top), Math.min(clientHeight, bottom)];
      const isAbove = below < wantedHeight + gap && above > below;
      const height = Math.max(this.#size, Math.min(wantedHeight, (isAbove ? above : below) - gap));
      const edges = { top: isAbove ? 'auto' : 0, bottom: isAbove ? 0 : 'auto', [this.#side]: `${-shift}px` };
      Object.assign(this.#frame.style, { width: `${width}px`, height: `${height}px`, ...edges });
      const place = `place:${isAbove ? 'above' : 'below'}:${shift}`;
      if (place !== this.#place) this.#tell(place);
      this.#place = place;
    }

    #tell(what) {
      this.#frame?.contentWindow?.postMessage(`staff-notifications:${what}`, service);
    }

    handleEvent({ type, source, origin, data }) {
      if (type === 'pointerdown') return this.#open ? this.#tell('close') : undefined;
      if (type !== 'message') {
        this.#wasPressed = true;
        return this.#isListening ? this.#tell('press') : undefined;
      }
      if (source !== this.#frame?.contentWindow || origin !== service) return;
      const { count, open, width, height } = Object(data);
      if (![count, open, width, height].every(Number.isFinite)) return;
      this.#resize(width, height);
      // With its first report a new frame listens.
      if (!this.#isListening && this.#wasPressed) this.#tell('press');
      this.#isListening = true;
      if (this.#count !== count) this.dispatchEvent(new CustomEvent('count', { detail: count }));
      if (this.#open !== open) this.dispatchEvent(new CustomEvent('open', { detail: open }));
      this.#count = count;
      this.#open = open;
    }
  }

  if (!customElements.get('staff-notifications')) customElements.define('staff-notifications', StaffNotifications);
})();
