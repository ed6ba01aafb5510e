// Pieces of the page as the server draws them: with every sign that people wrote escaped.
export function linesIn(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  return [...parsed.querySelectorAll("article.line")].map((line) => document.adoptNode(line));
}

export function formsIn(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  return [...parsed.querySelectorAll("form.reactions")].map((one) => document.adoptNode(one));
}

export function optionsIn(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  return [...parsed.querySelectorAll("[role=option]")].map((one) => document.adoptNode(one));
}

export const texts = document.getElementById("words")?.dataset ?? {};

export function drawn(look) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 120 120");
  for (const id of ["pet-body", `look-${look}`]) {
    const use = document.createElementNS(space, "use");
    use.setAttribute("href", `#${id}`);
    svg.append(use);
  }
  return svg;
}
