// Open the search page by its address: the server's content security policy lets no form be sent.
document.addEventListener("submit", (event) => {
  const form = event.target;
  event.preventDefault();
  location.href = `${form.action}?${new URLSearchParams(new FormData(form))}`;
});
