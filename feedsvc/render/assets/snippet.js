// Shows the newest teasers of a feed on any page. Everything a feed says is set as text; nothing of it is markup.
//
//   <div data-feedsvc="https://example.org/feed.json" data-count="5"><a href="https://example.org/">Our notes</a></div>
//   <script src="https://example.org/assets/snippet.js" async></script>
//
// The link stays where there is no script or no answer. Looks: --feedsvc-color, --feedsvc-soft, --feedsvc-accent,
// --feedsvc-line, --feedsvc-font, --feedsvc-gap, or ::part(list item title date teaser more).
(() => {
  "use strict";

  const STYLE = `
    :host { display: block; color: var(--feedsvc-color, inherit); font: var(--feedsvc-font, inherit); overflow-wrap: break-word; }
    ul { margin: 0; padding: 0; list-style: none; }
    li { padding-block: var(--feedsvc-gap, .875em); border-block-start: 1px solid var(--feedsvc-line, #8886); }
    a { color: var(--feedsvc-accent, inherit); }
    [part="title"] { font-weight: 600; }
    [part="date"] { display: block; font-size: .8125em; color: var(--feedsvc-soft, inherit); }
    p { margin: .25em 0 0; }`;

  const make = (name, part, text = "") => {
    const node = document.createElement(name);
    node.setAttribute("part", part);
    node.textContent = text;
    return node;
  };

  // Only http and https lead anywhere; a javascript: or data: address leaves the words without a link.
  const link = (part, text, address, base) => {
    let url;
    try { url = address && new URL(address, base); } catch { /* No address then. */ }
    if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return make("span", part, text);
    const node = make("a", part, text);
    node.href = url.href;
    node.rel = "noopener";
    return node;
  };

  const string = (value) => (typeof value === "string" ? value : "");

  // The language of the page where that is one; what is none ("en_US") would throw, and no entry would be shown.
  const language = () => {
    try { return Intl.getCanonicalLocales(document.documentElement.lang)[0]; } catch { return undefined; }
  };

  const date = (value) => {
    const when = new Date(string(value));
    if (Number.isNaN(when.getTime())) return "";
    const node = make("time", "date", when.toLocaleDateString(language(), { dateStyle: "long" }));
    node.dateTime = when.toISOString();
    return node;
  };

  const entry = (item, base) => {
    const node = make("li", "item");
    node.dir = "auto";
    if (string(item.language)) node.lang = item.language;
    const teaser = string(item.summary);
    node.append(link("title", string(item.title) || [...teaser].slice(0, 80).join("") || string(item.url), string(item.url), base), date(item.date_published));
    if (teaser && string(item.title)) node.append(make("p", "teaser", teaser));
    return node;
  };

  const show = (place, feed, base) => {
    const most = Math.min(Math.max(Number.parseInt(place.dataset.count, 10) || 5, 1), 50);
    const list = make("ul", "list");
    list.append(...feed.items.filter((item) => item && typeof item === "object").slice(0, most).map((item) => entry(item, base)));
    const root = place.attachShadow({ mode: "open" });
    if (root.adoptedStyleSheets) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      root.adoptedStyleSheets = [sheet];
    }
    root.append(list, link("more", string(feed.title) || string(feed.home_page_url), string(feed.home_page_url), base));
  };

  const load = async (place) => {
    try {
      const base = new URL(place.dataset.feedsvc, document.baseURI);
      const answer = await fetch(base, { credentials: "omit", referrerPolicy: "no-referrer" });
      const feed = answer.ok ? await answer.json() : null;
      if (feed && Array.isArray(feed.items) && !place.shadowRoot) show(place, feed, base);
    } catch {
      // The link inside the container is the answer then.
    }
  };

  const start = () => document.querySelectorAll("[data-feedsvc]").forEach(load);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
