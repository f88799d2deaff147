// Draws the bell of the Staff Notification service in the page of a company:
//
//   <script src="https://notif.example.com/embed.js" async></script>
//   <staff-notifications></staff-notifications>
//
// The bell is a frame of the service. The page learns two numbers, by the events `count` (unread) and
// `open` (1 or 0), and nothing else. Attributes: `size` (32 to 64 px), `side` (`right` or `left`: the edge
// that stays in place when the panel opens), `language` (`id` or `en`), `theme` (`light`, `dark` or `auto`).
(() => {
  const service = new URL(document.currentScript?.src ?? location.href).origin;
  const gap = 8;
  const titles = { id: 'Notifikasi', en: 'Notifications' };

  class StaffNotifications extends HTMLElement {
    static observedAttributes = ['size', 'side', 'language', 'theme'];
    #frame;
    #root;
    #size = 44;
    #side = 'right';
    #count;
    #open = 0;

    connectedCallback() {
      addEventListener('message', this);
      addEventListener('pointerdown', this);
      this.#draw();
    }

    disconnectedCallback() {
      removeEventListener('message', this);
      removeEventListener('pointerdown', this);
      this.#frame?.remove();
      this.#frame = undefined;
    }

    attributeChangedCallback() {
      if (this.#frame) this.#draw();
    }

    #draw() {
      this.#size = Math.min(64, Math.max(32, Number(this.getAttribute('size')) || 44));
      this.#side = this.getAttribute('side') === 'left' ? 'left' : 'right';
      const language = this.getAttribute('language') ?? '';
      const place = {
        display: 'inline-block',
        position: 'relative',
        width: `${this.#size}px`,
        height: `${this.#size}px`,
      };
      Object.assign(this.style, place);
      this.#frame?.remove();
      const frame = document.createElement('iframe');
      this.#frame = frame;
      frame.title = titles[language] ?? (document.documentElement.lang.startsWith('en') ? titles.en : titles.id);
      // The press that unlocks the sound may be one on the page.
      frame.allow = 'autoplay';
      Object.assign(frame.style, {
        position: 'absolute',
        top: '0',
        border: '0',
        zIndex: '2147483000',
        colorScheme: 'normal',
      });
      frame.style[this.#side] = '0';
      this.#resize(this.#size, this.#size);
      const values = {
        origin: location.origin,
        side: this.#side,
        size: this.#size,
        theme: this.getAttribute('theme') ?? '',
      };
      frame.src = `${service}/embed?${new URLSearchParams({ ...values, lang: language })}`;
      this.#root ??= this.attachShadow({ mode: 'open' });
      this.#root.append(frame);
    }

    // As large as the frame wants, as far as the window has room from the bell on.
    #resize(width, height) {
      const { left, right, top } = this.getBoundingClientRect();
      const { clientWidth, clientHeight } = document.documentElement;
      const room = (this.#side === 'left' ? clientWidth - left : right) - gap;
      this.#frame.style.width = `${Math.max(this.#size, Math.min(width, room))}px`;
      this.#frame.style.height = `${Math.max(this.#size, Math.min(height, clientHeight - Math.max(0, top) - gap))}px`;
    }

    handleEvent({ type, source, origin, data }) {
      if (type === 'pointerdown') {
        if (this.#open) this.#frame.contentWindow.postMessage('staff-notifications:close', service);
        return;
      }
      if (source !== this.#frame?.contentWindow || origin !== service) return;
      const { count, open, width, height } = Object(data);
      if (![count, open, width, height].every(Number.isFinite)) return;
      this.#resize(width, height);
      if (this.#count !== count) this.dispatchEvent(new CustomEvent('count', { detail: count }));
      if (this.#open !== open) this.dispatchEvent(new CustomEvent('open', { detail: open }));
      this.#count = count;
      this.#open = open;
    }
  }

  if (!customElements.get('staff-notifications')) customElements.define('staff-notifications', StaffNotifications);
})();
