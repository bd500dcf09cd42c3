# Less and less as time goes by, so that no search is ever stuck.
read -r up rest </proc/uptime
echo "-$up"
