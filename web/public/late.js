// Says so where the page's own code cannot be fetched, and lets one try again. A file of its own: it must not need the rest.
{
  const late = document.querySelector(".late");
  const again = late.querySelector("button");
  again.hidden = false;
  again.onclick = () => location.reload(); // a link would lose what stands after the #
  addEventListener("error", (event) => event.target !== window && late.classList.add("now"), true);
}
