// Sphinx's search fetches each page that it lists, for an excerpt. Of a site opened as files
// browsers fetch none: there the excerpts come from one script with the texts of all pages.
if (location.protocol === 'file:') {
  const folder = document.currentScript.src.replace(/[^/]*$/, '');
  const texts = new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${folder}search_texts.js`;
    script.onload = () => resolve(window.SEARCH_TEXTS);
    script.onerror = reject;
    document.head.append(script);
  });

  window.fetch = async (url) => {
    const name = new URL(url, location.href).href.slice(folder.replace(/_static\/$/, '').length);
    const main = document.createElement('div');
    main.setAttribute('role', 'main');
    main.textContent = (await texts)[decodeURIComponent(name).replace(/\.html$/, '')] ?? '';
    return new Response(main.outerHTML);
  };
}
