"""The web page: a lobby shared by everybody and a private talk with the pet, all assets local."""
