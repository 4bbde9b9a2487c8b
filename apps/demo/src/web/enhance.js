// Every page works without this script. With it, filters apply at once, open menus close, and commands can be copied.

for (const form of document.querySelectorAll('form[data-apply-at-once]')) {
  form.classList.add('applies-at-once')
  form.addEventListener('change', ({ target }) => {
    if (target.type !== 'search') form.requestSubmit()
  })
}

const closeMenus = (except) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) if (menu !== except) menu.open = false
}
document.addEventListener('click', ({ target }) => closeMenus(target.closest('details.menu')))
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') closeMenus()
})

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(button.dataset.copy).then(() => {
      button.textContent = 'Copied'
    })
  })
}
